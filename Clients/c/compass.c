/* Prints heading and position of the machine. Usage: compass [COUNT], by default without end.
 * cc compass.c -o compass $(pkg-config --cflags --libs lodestar) */
#include <lodestar.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
  long rest = count > 1 ? atol(arguments[1]) : -1;
  lodestar_connection *board = lodestar_open("org.example.compass", NULL);
  if (!board) {
    fprintf(stderr, "compass: %s\n", lodestar_error());
    return 1;
  }
  while (rest) {
    int news = lodestar_wait(board, 2000);
    lodestar_heading heading = {.size = sizeof heading};
    lodestar_fix fix = {.size = sizeof fix};
    if (news < 0 || lodestar_read_heading(board, &heading) < 0) {
      /* A daemon that restarts is found again. */
      fprintf(stderr, "compass: %s\n", lodestar_error());
    } else if (news > 0) {
      printf("heading %.1f true, %.1f magnetic, within %.1f degrees, state %d", heading.from_true,
             heading.from_magnetic, heading.magnetic_accuracy, heading.state);
      if (lodestar_read_fix(board, &fix) == 0 && !isnan(fix.latitude))
        printf("; %.6f, %.6f, %.1f m within %.1f m", fix.latitude, fix.longitude, fix.altitude,
               fix.horizontal_accuracy);
      printf("%s\n", heading.is_simulated ? "; simulated" : "");
      fflush(stdout);
    }
    if (rest > 0) rest--;
  }
  lodestar_close(board);
  return 0;
}
