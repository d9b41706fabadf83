"""What the proofs about books work with: places, true journals, a script, servers, disks, and watched processes."""
