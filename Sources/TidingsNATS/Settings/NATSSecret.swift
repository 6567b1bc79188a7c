// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import Foundation

/// A text that must not be shown: a token, a password, a key or a certificate.
///
/// It is read anew for each connection, so that it can be rotated while the program runs. Neither
/// its description nor an error of this module contains it.
///
/// ```swift
/// let token = NATSSecret.file("/run/secrets/nats-token")
/// let password = NATSSecret { try await vault.password(of: "orders") }
/// ```
public struct NATSSecret: Sendable, CustomStringConvertible, CustomReflectable {
    private let read: @Sendable () async throws -> String

    /// Creates a secret from a closure, which is called before each attempt to connect.
    ///
    /// - Parameter read: Returns the text. Its error is not shown, because it may quote the text.
    public init(_ read: @escaping @Sendable () async throws -> String) {
        self.read = read
    }

    /// A file's content, without white space at its ends.
    public static func file(_ path: String) -> NATSSecret {
        NATSSecret {
            try String(contentsOfFile: path, encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// A text without the secret.
    public var description: String { "(secret)" }

    /// A mirror without the secret.
    public var customMirror: Mirror { Mirror(self, children: []) }

    func resolve() async throws -> String {
        try await read()
    }
}
#endif
