// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// Records the messages of one type that a center delivers, for a test to inspect or wait for.
///
/// The recorder records from creation until release, and does not retain the center. By default,
/// the center calls the recorder after all remaining handlers of the same post. So when a wait
/// returns, those handlers have finished on the posting thread. A ``MessageLog`` records several
/// types in one order.
///
/// ```swift
/// let recorder = MessageRecorder(LoggedIn.self, on: center)
/// login.start()
/// #expect(try await recorder.next().name == "Ada")
/// ```
public final class MessageRecorder<M: Message>: Recording {
    /// The messages, which tests read by the methods of ``Recording``.
    public let buffer = RecordingBuffer<M> { String(describing: $0) }
    private let token: ObservationToken

    /// Starts recording.
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - center: The center to observe.
    ///   - priority: The order among the observations of this type, by default the last.
    public init(
        _ type: M.Type = M.self,
        on center: MessageCenter,
        priority: ObservationPriority? = nil
    ) {
        let buffer = buffer
        token = center.messages(of: type).priority(priority ?? .last).observe { buffer.append($0) }
    }

    /// All messages recorded so far, in the order of delivery.
    public var messages: [M] { buffer.elements }
}

extension MessageRecorder where M: Equatable {
    /// Reads the expected messages in order, and waits for the missing messages.
    ///
    /// The method throws at the first different message and does not wait for the rest.
    ///
    /// ```swift
    /// try await recorder.expect(Progress(percent: 50), Progress(percent: 100))
    /// ```
    ///
    /// - Throws: ``TidingsTestingError`` with the difference, and then marks no message as read.
    public func expect(
        _ messages: M...,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        let site = CallSite(fileID: fileID, line: line)
        let names = messages.map { String(describing: $0) }
        try await buffer.expect(messages, named: names, site, by: ==)
    }
}
