/** The resources that the load generator itself uses, so that a run can distinguish its own limits from the cluster's. */
package io.plimsoll.observe.self;
