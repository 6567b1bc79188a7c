// SPDX-License-Identifier: Apache-2.0
internal import CTidingsSystemd
internal import Dispatch
internal import Glibc

/// Tells when a connection has something to do: bytes came, bytes can go, a time limit passed.
///
/// Belongs to the queue given; `wake` is called there.
final class BusPump {
    private let reading: any DispatchSourceRead
    private let writing: any DispatchSourceWrite
    private let timer: any DispatchSourceTimer
    private var isWriting = false
    private var isStopped = false

    /// Watches a copy of `descriptor`, so that the connection may close its own at any time.
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

    /// Waits for what the connection waits for now.
    ///
    /// - Parameters:
    ///   - events: What `poll` is to wait for.
    ///   - deadline: Microseconds of the monotonic clock; the largest number for none.
    func arm(events: Int32, deadline: UInt64) {
        guard !isStopped else { return }
        let wantsToWrite = events & POLLOUT != 0
        if wantsToWrite != isWriting {
            isWriting = wantsToWrite
            if wantsToWrite { writing.resume() } else { writing.suspend() }
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
        // A source that sleeps would neither end nor may be let go.
        if !isWriting { writing.resume() }
    }
}
