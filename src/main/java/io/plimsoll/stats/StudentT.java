package io.plimsoll.stats;

/** Student's t distribution, including fractional degrees of freedom as in Welch's test. */
public final class StudentT {
    private static final double SMALLEST = 1e-300;
    private static final double PRECISION = 1e-15;
    private static final int MOST_STEPS = 1000;

    /**
     * The quantile for probability {@code p}, by bisection of {@link #cumulative}.
     *
     * @param p above 0, below 1
     * @param degrees of freedom, above 0
     */
    public static double quantile(double p, double degrees) {
        if (!(p > 0 && p < 1) || !(degrees > 0)) {
            throw new IllegalArgumentException("no quantile " + p + " with " + degrees + " degrees of freedom");
        }
        if (p < 0.5) {
            return -quantile(1 - p, degrees);
        }
        double low = 0;
        double high = 1;
        while (cumulative(high, degrees) < p && high < 1e12) {
            high *= 2;
        }
        for (int i = 0; i < 200 && high - low > 1e-12 * high; i++) {
            double middle = (low + high) / 2;
            if (cumulative(middle, degrees) < p) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    /** P(T ≤ t) = 1 − I_x(ν/2, ½)/2 with x = ν/(ν + t²) for t ≥ 0 (Abramowitz and Stegun 26.7.1 and 26.5.27). */
    public static double cumulative(double t, double degrees) {
        double tail = incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2;
        return t < 0 ? tail : 1 - tail;
    }

    /** Regularized incomplete beta function; uses its symmetry where the fraction converges slowly. */
    private static double incompleteBeta(double x, double a, double b) {
        if (x <= 0 || x >= 1) {
            return x <= 0 ? 0 : 1;
        }
        return x < (a + 1) / (a + b + 2) ? betaFraction(x, a, b) : 1 - betaFraction(1 - x, b, a);
    }

    /** Continued fraction of Abramowitz and Stegun 26.5.8, evaluated by Lentz's method (1976). */
    private static double betaFraction(double x, double a, double b) {
        double front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
        double c = 1;
        double d = 1 / atLeast(1 - (a + b) * x / (a + 1));
        double fraction = d;
        for (int m = 1; m <= MOST_STEPS; m++) {
            double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            d = 1 / atLeast(1 + even * d);
            c = atLeast(1 + even / c);
            fraction *= d * c;
            double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
            d = 1 / atLeast(1 + odd * d);
            c = atLeast(1 + odd / c);
            fraction *= d * c;
            if (Math.abs(d * c - 1) < PRECISION) {
                break;
            }
        }
        return front * fraction / a;
    }

    private static double atLeast(double value) {
        return Math.abs(value) < SMALLEST ? SMALLEST : value;
    }

    /** Stirling's series (Abramowitz and Stegun 6.1.41) above 10, the recurrence below. */
    private static double logGamma(double x) {
        double shift = 0;
        double z = x;
        while (z < 10) {
            shift += Math.log(z);
            z++;
        }
        double r = 1 / (z * z);
        double series = (1 / 12.0 - r * (1 / 360.0 - r * (1 / 1260.0 - r * (1 / 1680.0 - r / 1188.0)))) / z;
        return (z - 0.5) * Math.log(z) - z + Math.log(2 * Math.PI) / 2 + series - shift;
    }
}
