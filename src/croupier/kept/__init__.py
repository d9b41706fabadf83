"""What is kept on disk between runs, because making it takes longer than all the rest: files, and machine code."""
