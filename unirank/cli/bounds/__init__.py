"""`unirank bounds`: the command, its tables, its games and its Markdown file."""
