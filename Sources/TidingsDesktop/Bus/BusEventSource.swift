// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import CTidingsSystemd
internal import Dispatch
internal import Glibc

/// Watches a connection's file descriptor and deadline, and calls a closure when either is ready.
///
/// Use the source only on the queue passed to the initializer. `wake` is also called on that queue.
final class BusEventSource {
    private let reading: any DispatchSourceRead
    private let writing: any DispatchSourceWrite
    private let timer: any DispatchSourceTimer
    private var isWriting = false
    private var isStopped = false

    /// Watches a duplicate of `descriptor`, so that the connection can close the original at any
    /// time.
    ///
    /// Returns nil when the descriptor cannot be duplicated.
    init?(descriptor: Int32, queue: DispatchQueue, wake: @escaping @Sendable () -> Void) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        reading = DispatchSource.makeReadSource(fileDescriptor: copy, queue: queue)
        writing = DispatchSource.makeWriteSource(fileDescriptor: copy, queue: queue)
        timer = DispatchSource.makeTimerSource(queue: queue)
        reading.setEventHandler(handler: wake)
        writing.setEventHandler(handler: wake)
        timer.setEventHandler(handler: wake)
        let ends = DispatchGroup()
        for source in [reading, writing] as [any DispatchSourceProtocol] {
            ends.enter()
            source.setCancelHandler { ends.leave() }
        }
        ends.notify(queue: queue) { Glibc.close(copy) }
        reading.activate()
        timer.activate()
    }

    deinit {
        stop()
    }

    /// Waits for the events and the deadline that the connection asks for.
    ///
    /// - Parameters:
    ///   - events: The `poll` events to wait for. Reads are always watched.
    ///   - deadline: The deadline in microseconds on the monotonic clock, or `UInt64.max` for no
    ///     deadline.
    func arm(events: Int32, deadline: UInt64) {
        guard !isStopped else { return }
        let needsWrite = events & POLLOUT != 0
        if needsWrite != isWriting {
            isWriting = needsWrite
            if needsWrite { writing.resume() } else { writing.suspend() }
        }
        if deadline == .max {
            timer.schedule(deadline: .distantFuture)
        } else {
            let (nanoseconds, overflow) = deadline.multipliedReportingOverflow(by: 1000)
            timer.schedule(
                deadline: DispatchTime(uptimeNanoseconds: overflow ? .max : max(nanoseconds, 1))
            )
        }
    }

    func stop() {
        guard !isStopped else { return }
        isStopped = true
        reading.cancel()
        timer.cancel()
        writing.cancel()
        // Dispatch neither cancels nor releases a suspended source.
        if !isWriting { writing.resume() }
    }
}
#endif
