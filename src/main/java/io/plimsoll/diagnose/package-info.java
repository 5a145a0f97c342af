/** Finds in what a trial was seen to do what held it back, with its evidence. Pure: values in, values out. */
package io.plimsoll.diagnose;
