// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Where the answer to the question for authorization is kept between two runs of a program.
///
/// The center writes one answer after the other. A store that touches the disk does so away from
/// its caller, on a queue of its own or in a `@concurrent` method.
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
