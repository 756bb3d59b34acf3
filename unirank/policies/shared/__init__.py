"""Ideas that several families of policies use."""
