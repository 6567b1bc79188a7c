// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Where the answer to the question for authorization is kept between two runs of a program.
///
/// The center calls one method at a time for writing and never waits for the disk on a caller's
/// thread that matters: a store that touches the disk does so on a queue of its own.
public protocol NotificationStore: Sendable {
    /// Returns the stored answer, nil when there is none.
    func authorization() async throws -> AuthorizationAnswer?
    /// Keeps the answer; when this returns, the next start finds it.
    func setAuthorization(_ answer: AuthorizationAnswer) async throws
}

/// A store that lasts as long as the program.
public final class InMemoryNotificationStore: NotificationStore {
    private let answer: Lock<AuthorizationAnswer?>

    /// Creates a store.
    ///
    /// - Parameter answer: What it holds at the beginning.
    public init(_ answer: AuthorizationAnswer? = nil) {
        self.answer = Lock(answer)
    }

    /// Returns the stored answer, nil when there is none.
    public func authorization() async -> AuthorizationAnswer? {
        answer.withLock { $0 }
    }

    /// Keeps the answer.
    public func setAuthorization(_ answer: AuthorizationAnswer) async {
        self.answer.withLock { $0 = answer }
    }
}
