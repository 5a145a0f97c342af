/** Types that every package uses: exits, errors, lifecycles, secrets. */
@NullMarked
package io.plimsoll;

import org.jspecify.annotations.NullMarked;
