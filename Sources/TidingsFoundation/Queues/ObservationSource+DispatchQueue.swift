// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Tidings

extension ObservationSource {
    /// Observes the elements on a dispatch queue until the token is cancelled or dropped.
    ///
    /// The observation has a mailbox, whose tasks run on the queue. On a concurrent queue, these
    /// tasks also handle one element at a time, in order, unless `concurrency(_:)` allows more. The
    /// rules of the form with a task executor apply.
    ///
    /// ```swift
    /// let queue = DispatchQueue(label: "photos")
    /// let token = center.messages(of: PhotoTaken.self).observe(on: queue) { scale($0.photo) }
    /// ```
    ///
    /// - Parameters:
    ///   - queue: The queue on which the handler runs.
    ///   - fileID: The observing file, for the leak report.
    ///   - line: The observing line.
    ///   - handler: Called with each element.
    /// - Returns: The token that ends the observation.
    public func observe(
        on queue: DispatchQueue,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @concurrent @Sendable (Element) async throws -> Void
    ) -> ObservationToken {
        observe(on: QueueExecutor(queue), fileID: fileID, line: line, handler)
    }
}

/// Runs jobs of tasks on a dispatch queue.
private final class QueueExecutor: TaskExecutor {
    private let queue: DispatchQueue

    init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
