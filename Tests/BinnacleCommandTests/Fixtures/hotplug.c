// Plays the machine for the tests of hot-plugging: makes mocked devices come and go as it is told on
// standard input, one command a line, and answers "ok" or "failed: WHY".
//
//   root                    the folder to name in UMOCKDEV_DIR, so that another program sees them
//   add FILE                the devices of a umockdev description appear
//   remove SYSPATH          one disappears, with its node
//   send NODE TEXT          the device sends a line, ended by CR LF
//   received NODE           the number of bytes written to it
//
// cc hotplug.c -o hotplug $(pkg-config --cflags --libs umockdev-1.0), run under umockdev-wrapper.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <umockdev.h>
#include <unistd.h>

static void answer(int ok, GError *error) {
  if (ok) puts("ok");
  else printf("failed: %s\n", error ? error->message : "no reason");
  if (error) g_error_free(error);
}

int main(void) {
  UMockdevTestbed *bed = umockdev_testbed_new();
  char line[4096];
  setlinebuf(stdout);
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    char *argument = strchr(line, ' ');
    if (argument) *argument++ = 0;
    char *text = argument ? strchr(argument, ' ') : NULL;
    if (text) *text++ = 0;
    GError *error = NULL;

    if (strcmp(line, "root") == 0) {
      char *root = umockdev_testbed_get_root_dir(bed);
      printf("%s\n", root);
      g_free(root);
    } else if (strcmp(line, "add") == 0 && argument) {
      answer(umockdev_testbed_add_from_file(bed, argument, &error), error);
    } else if (strcmp(line, "remove") == 0 && argument) {
      umockdev_testbed_uevent(bed, argument, "remove");
      umockdev_testbed_remove_device(bed, argument);
      answer(1, NULL);
    } else if (strcmp(line, "send") == 0 && text) {
      int device = umockdev_testbed_get_dev_fd(bed, argument);
      size_t length = strlen(text);
      memcpy(text + length, "\r\n", 2);
      answer(write(device, text, length + 2) == (ssize_t)length + 2, NULL);
    } else if (strcmp(line, "received") == 0 && argument) {
      int device = umockdev_testbed_get_dev_fd(bed, argument);
      char bytes[4096];
      fcntl(device, F_SETFL, O_NONBLOCK);
      ssize_t count = read(device, bytes, sizeof bytes);
      printf("%zd\n", count > 0 ? count : 0);
    } else {
      answer(0, NULL);
    }
  }
  g_object_unref(bed);
  return 0;
}
