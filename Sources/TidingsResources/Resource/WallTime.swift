// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Glibc
#endif

/// The system's wall clock.
@usableFromInline
enum WallTime: Sendable {
    /// Returns the time since 1 January 1970, UTC.
    @usableFromInline
    static func now() -> Duration {
        var time = timespec()
        // Invariant: the pointer is valid for the call, and the system always has this clock.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
