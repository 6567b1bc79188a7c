// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The current buffer of a channel, found without a lock.
@safe struct CurrentBuffer: ~Copyable, Sendable {
    private let reference: Atomic<Unmanaged<SubscriberBuffer>>

    init(_ buffer: SubscriberBuffer) {
        unsafe reference = Atomic(.passUnretained(buffer))
    }

    /// Publishes another buffer; the caller keeps the old one until its readers have left.
    func replace(with buffer: SubscriberBuffer) {
        unsafe reference.store(.passUnretained(buffer), ordering: .sequentiallyConsistent)
    }

    /// Calls `body` with the buffer; the thread must be reading the channel.
    @inline(__always)
    func read<Result>(_ body: (SubscriberBuffer) -> Result) -> Result {
        // Invariant: the buffer was current after this thread's reading began, so its owner keeps
        // it until the reading ends.
        unsafe reference.load(ordering: .sequentiallyConsistent)._withUnsafeGuaranteedRef(body)
    }

    /// Whether `buffer` is the current one.
    func isCurrent(_ buffer: SubscriberBuffer) -> Bool {
        let current = unsafe reference.load(ordering: .sequentiallyConsistent)
        return unsafe current.toOpaque() == Unmanaged.passUnretained(buffer).toOpaque()
    }
}
