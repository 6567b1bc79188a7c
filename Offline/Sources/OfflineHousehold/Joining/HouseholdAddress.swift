// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The server and the space that make several machines one household, and the credentials.
package struct HouseholdAddress: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The proof of this machine's identity for the server.
    enum Credentials: Hashable, Sendable {
        case token(String)
        case user(String, password: String)
        /// A file that contains only a token, or a file that NATS's own tools have made.
        case file(String)
    }

    /// The reason why an address is invalid.
    ///
    /// The message quotes no part of the address.
    package struct Malformed: Error, Equatable {
        /// The fault and the remedy.
        package let message: String
    }

    /// The server without credentials, such as `nats://10.0.0.2:4222`.
    let server: String
    /// The name that all machines of the household share.
    package let space: String
    let credentials: Credentials?

    /// Reads the values of `--join`, `--space` and `--join-credentials`.
    package init(
        _ text: String,
        space: String?,
        credentialsFile: String?
    ) throws(Malformed) {
        let pattern =
            #/
            (nats|tls):// (?:([^@/\s]*)@)?
            ([A-Za-z0-9._\-]+ | \[[0-9A-Fa-f:.]+\]) (?: :([0-9]{1,5}))? /?
            /#
        guard text.utf8.count <= 4_096, let match = text.wholeMatch(of: pattern) else {
            throw Malformed(
                message: "The address after --join is not nats://HOST:PORT or tls://HOST:PORT."
            )
        }
        if let port = match.4, UInt16(port).map({ $0 > 0 }) != true {
            throw Malformed(message: "The port after --join is not a number from 1 to 65535.")
        }
        server = "\(match.1)://\(match.3)\(match.4.map { ":\($0)" } ?? "")"
        let space = space ?? "home"
        guard space.wholeMatch(of: /[A-Za-z0-9_\-]{1,50}/) != nil else {
            throw Malformed(message: "A space is named by up to 50 letters, digits, - and _.")
        }
        self.space = space
        if let own = match.2 {
            guard credentialsFile == nil else {
                throw Malformed(
                    message: "Credentials are in the address and in a file. Leave one out."
                )
            }
            credentials = try Self.credentials(inAddress: own)
        } else {
            credentials = try credentialsFile.map(Self.credentials(inFile:))
        }
    }

    /// The address without credentials.
    package var description: String { server }

    /// A mirror without credentials.
    package var customMirror: Mirror { Mirror(self, children: []) }

    private static func credentials(
        inAddress text: Substring
    ) throws(Malformed) -> Credentials {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            .map { String($0).removingPercentEncoding ?? "" }
        guard !parts.contains(""), let first = parts.first else {
            throw Malformed(
                message: "The credentials after --join are neither TOKEN@ nor USER:PASSWORD@."
            )
        }
        return parts.count == 1 ? .token(first) : .user(first, password: parts[1])
    }

    private static func credentials(inFile path: String) throws(Malformed) -> Credentials {
        // The file is read more than once, which a pipe does not allow.
        let type =
            try? FileManager.default.attributesOfItem(
                atPath: URL(filePath: path).resolvingSymlinksInPath().path
            )[.type] as? FileAttributeType
        guard type == .typeRegular, FileManager.default.isReadableFile(atPath: path) else {
            throw Malformed(
                message: "The file of --join-credentials cannot be read, or it is no regular "
                    + "file. Name one that you may read."
            )
        }
        return .file(path)
    }
}
