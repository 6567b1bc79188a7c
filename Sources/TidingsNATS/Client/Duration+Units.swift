// SPDX-License-Identifier: Apache-2.0
#if NATS
extension Duration {
    /// Whole milliseconds, at least 1, as the C library takes them.
    var milliseconds: Int64 {
        max(1, components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000)
    }

    /// Whole nanoseconds, as the server takes them.
    var nanoseconds: Int64 {
        let (seconds, overflow) = components.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : seconds + components.attoseconds / 1_000_000_000
    }
}
#endif
