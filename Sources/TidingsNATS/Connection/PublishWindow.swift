// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import TidingsBridge
import TidingsLock

/// The published frames of one connection that wait for acknowledgements.
///
/// The window has the same size as the bridge's window, because each row is in both until the
/// answer arrives.
final class PublishWindow: Sendable {
    let queue = CallbackQueue<PublishAcknowledgement>()
    private let subjects = Lock([Int: String]())

    /// Adds frames before they are sent.
    func add(_ frames: [PublishedFrame]) {
        subjects.withLock { subjects in
            for frame in frames { subjects[frame.row] = frame.frame.subject }
        }
    }

    /// Reports the answer to one row, and ignores an answer to an unknown row.
    func resolve(
        _ row: Int,
        _ outcome: PublishAcknowledgement.Outcome,
        isLast: Bool = true
    ) {
        // The subject is released after the lock.
        let (subject, left) = subjects.withLock { ($0.removeValue(forKey: row), $0.count) }
        if subject != nil {
            // Many rows in flight mean that more answers are about to come, and each wake costs
            // more than an answer.
            let wakes = isLast && left < 256 || queue.count >= 31
            queue.append(PublishAcknowledgement(row: row, outcome), isLast: wakes)
        } else if isLast {
            queue.wake()
        }
    }

    /// Refuses all rows with a subject, because the server does not report which row it refused.
    func refuseAll(to subject: String, _ error: TransportError) {
        let rows = subjects.withLock { subjects in
            subjects.filter { $0.value == subject }.map(\.key).sorted()
        }
        for row in rows { resolve(row, .refused(error)) }
    }
}
#endif
