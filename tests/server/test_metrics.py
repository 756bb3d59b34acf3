from unirank.server.metrics import Metrics


def test_two_processes_in_one_have_registries_of_their_own() -> None:
    one, two = Metrics(), Metrics()
    one.rankings["learner"].inc()
    one.gauge("pages", "Pages.", lambda: 3.0)
    assert b'unirank_rankings_total{arm="learner"} 1.0' in one.text()
    assert b"unirank_pages 3.0" in one.text()
    assert b'arm="learner"} 0.0' in two.text()
