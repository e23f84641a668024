#include <stdio.h>

/* Begin here. Hand in what builds without a warning. */
int	main(void)
{
	printf("Hello, campus.\n");
	return (0);
}
