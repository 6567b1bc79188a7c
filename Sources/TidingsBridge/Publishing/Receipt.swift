// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

/// The proof that a message is in the outbox, and the way to wait for the server.
///
/// ```swift
/// let receipt = try await bridge.publish(OrderPlaced(id: 7, region: "eu"))
/// let acceptance = try await receipt.accepted()
/// print(acceptance.sequence, acceptance.meaning)
/// ```
public struct Receipt: Sendable {
    /// The id of the message, the same at every receiver.
    public let id: String
    private let answer: Answer<Acceptance>

    init(id: String, answer: Answer<Acceptance>) {
        self.id = id
        self.answer = answer
    }

    /// The server's acknowledgement of one message.
    public struct Acceptance: Hashable, Sendable {
        /// The position in the stream.
        public let sequence: UInt64
        /// Where the message is now.
        public let meaning: AcknowledgementMeaning
    }

    /// Waits until the server has acknowledged the message, however long the connection is away.
    ///
    /// - Returns: The position in the stream, and what the acknowledgement means.
    /// - Throws: `refused` if the message became a dead letter, `closed` if the bridge was closed
    ///   or the task cancelled first. After `closed`, the message stays in the outbox.
    public func accepted() async throws(BridgeError) -> Acceptance {
        let answer = answer
        let outcome = await answer.outcome {
            let message = "The task was cancelled; the message stays in the outbox."
            answer.settle(.failure(BridgeError(.closed, message)))
        }
        do {
            return try outcome.get()
        } catch let error as BridgeError {
            throw error
        } catch {
            throw BridgeError(.refused, "\(error)", cause: error)
        }
    }
}

/// The receipts that wait for their acknowledgement.
final class Receipts: Sendable {
    private let waiting = Lock<[Int: Answer<Receipt.Acceptance>]>([:])

    func add(_ answer: Answer<Receipt.Acceptance>, for row: Int) {
        waiting.withLock { $0[row] = answer }
    }

    func settle(_ outcomes: [(row: Int, Result<Receipt.Acceptance, any Error>)]) {
        let found = waiting.withLock { waiting in
            waiting.isEmpty
                ? []
                : outcomes.compactMap { row, result in
                    waiting.removeValue(forKey: row).map { ($0, result) }
                }
        }
        for (answer, result) in found { answer.settle(result) }
    }

    /// Fails all waiting receipts, because the bridge is closed.
    func close() {
        let answers = waiting.withLock { waiting in
            defer { waiting = [:] }
            return Array(waiting.values)
        }
        let message = "The bridge was closed; the message stays in the outbox."
        for answer in answers { answer.settle(.failure(BridgeError(.closed, message))) }
    }
}
