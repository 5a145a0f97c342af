/** Types that every package uses: exit codes, errors, lifecycles, secrets. */
@NullMarked
package io.plimsoll;

import org.jspecify.annotations.NullMarked;
