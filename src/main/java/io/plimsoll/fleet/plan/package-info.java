/** The fleet's rules without a network: who does what, when, and how what they saw adds up. Pure. */
package io.plimsoll.fleet.plan;
