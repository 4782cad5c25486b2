# What the firmware brings with it.
  .section .device_tree, "a"
  .globl device_tree
  .balign 8
device_tree:
  .incbin DEVICE_TREE

  .section .kernel, "awx"
  .globl kernel
kernel:
  .incbin KERNEL

  .section .initramfs, "aw"
  .incbin INITRAMFS
