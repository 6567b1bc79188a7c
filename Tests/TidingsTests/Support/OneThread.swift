// SPDX-License-Identifier: Apache-2.0
import Dispatch

/// An executor with a dispatch queue of its own.
final class OneThread: TaskExecutor {
    private static let key = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "one thread")

    init() {
        queue.setSpecific(key: Self.key, value: true)
    }

    /// Whether the caller runs on such an executor.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
