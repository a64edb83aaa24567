"""``python -m mendel``: the command line."""

from mendel.cli.main import main

if __name__ == "__main__":
    main()
