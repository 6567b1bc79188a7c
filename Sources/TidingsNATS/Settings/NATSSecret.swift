// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import Foundation

/// A string that must not be shown, such as a token, a password, a key or a certificate.
///
/// The secret is read again for each connection, so it can be rotated while the program runs.
/// Neither the description nor an error of this module contains the secret.
///
/// ```swift
/// let token = NATSSecret.file("/run/secrets/nats-token")
/// let password = NATSSecret { try await vault.password(of: "orders") }
/// ```
public struct NATSSecret: Sendable, CustomStringConvertible, CustomReflectable {
    private let read: @Sendable () async throws -> String

    /// Creates a secret from a closure, which is called before each attempt to connect.
    ///
    /// - Parameter read: Returns the secret. An error of the closure is not shown, because the
    ///   error may quote the secret.
    public init(_ read: @escaping @Sendable () async throws -> String) {
        self.read = read
    }

    /// Returns a secret with a file's content, without white space at both ends.
    public static func file(_ path: String) -> NATSSecret {
        NATSSecret {
            try String(contentsOfFile: path, encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// A description without the secret.
    public var description: String { "(secret)" }

    /// A mirror without the secret.
    public var customMirror: Mirror { Mirror(self, children: []) }

    func resolve() async throws -> String {
        try await read()
    }
}
#endif
