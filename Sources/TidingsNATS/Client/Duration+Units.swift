// SPDX-License-Identifier: Apache-2.0
#if NATS
extension Duration {
    /// The duration in whole milliseconds, at least 1, as required by the C library.
    var milliseconds: Int64 {
        max(1, components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000)
    }

    /// The duration in whole nanoseconds, as required by the server.
    var nanoseconds: Int64 {
        let (seconds, overflow) = components.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : seconds + components.attoseconds / 1_000_000_000
    }
}
#endif
