// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How long the processor works, whatever else it does meanwhile.
package struct ProcessorTime {
    private let clock: clockid_t

    /// For the calling thread.
    package static let thread = ProcessorTime(clock: CLOCK_THREAD_CPUTIME_ID)
    /// For all threads of the program.
    package static let process = ProcessorTime(clock: CLOCK_PROCESS_CPUTIME_ID)

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
    package var nanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) * 1e-9
    }
}
