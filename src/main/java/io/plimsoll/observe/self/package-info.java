/** The resources that the load generator itself uses, so that a run can distinguish its own limits from the cluster's. */
@NullMarked
package io.plimsoll.observe.self;

import org.jspecify.annotations.NullMarked;
