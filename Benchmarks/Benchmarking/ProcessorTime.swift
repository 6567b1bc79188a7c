// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A clock of processor time, which other load on the machine does not affect.
package struct ProcessorTime {
    private let clock: clockid_t

    /// The time of the calling thread.
    package static let thread = ProcessorTime(clock: CLOCK_THREAD_CPUTIME_ID)
    /// The time of all threads of the program.
    package static let process = ProcessorTime(clock: CLOCK_PROCESS_CPUTIME_ID)

    /// Returns the processor time of `body`.
    package func measure(_ body: () -> Void) -> Duration {
        let begin = now
        body()
        return now - begin
    }

    private var now: Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

extension Duration {
    /// The duration in nanoseconds.
    package var nanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) * 1e-9
    }
}
