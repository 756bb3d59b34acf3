from unirank.server.metrics import Metrics


def test_two_processes_in_one_have_registries_of_their_own() -> None:
    one, two = Metrics(), Metrics()
    one.views["learner"] += 1
    one.gauge("pages", "Pages.", lambda: 3.0)
    assert b'unirank_rankings_total{arm="learner"} 1.0' in one.text()
    assert b"unirank_pages 3.0" in one.text()
    assert b'arm="learner"} 0.0' in two.text()


def test_requests_are_counted_up_to_the_end_of_their_bucket() -> None:
    metrics = Metrics()
    for seconds in (0.0005, 0.0006, 0.3, 9.0):
        metrics.observe("/v1/pages", "GET", seconds)
    text, route = metrics.text().decode(), 'method="GET",path="/v1/pages"'
    for end, n in (("0.0005", 1), ("0.001", 2), ("0.2", 2), ("0.5", 3), ("5.0", 3), ("+Inf", 4)):
        assert f'unirank_request_seconds_bucket{{le="{end}",{route}}} {n}.0\n' in text
    assert f"unirank_request_seconds_count{{{route}}} 4.0\n" in text
    assert f"unirank_request_seconds_sum{{{route}}} 9.3011\n" in text


def test_answers_are_counted_and_strange_methods_are_one() -> None:
    metrics = Metrics()
    for method, status in (("GET", 200), ("GET", 200), ("BREW", 405), ("SIP", 405)):
        metrics.answered("/v1/pages", method, status)
    text = metrics.text().decode()
    for method, status in (("GET", 200), ("other", 405)):
        labels = f'method="{method}",path="/v1/pages",status="{status}"'
        assert f"unirank_answers_total{{{labels}}} 2.0\n" in text
