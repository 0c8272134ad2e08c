"""`python -m authoring build TASK [--seed N] [--to DIR]`, `python -m authoring check`."""

from authoring.build import main

main()
