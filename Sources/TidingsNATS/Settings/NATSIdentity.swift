// SPDX-License-Identifier: Apache-2.0
#if NATS
/// How a connection proves to the server who it is.
///
/// ```swift
/// let identity = NATSIdentity.user("orders", password: .file("/run/secrets/orders"))
/// ```
@nonexhaustive public enum NATSIdentity: Sendable {
    /// A token that all clients share.
    case token(NATSSecret)
    /// A user with a password.
    case user(String, password: NATSSecret)
    /// A key pair: the public key, which begins with `U`, and the seed, which begins with `SU`.
    case key(String, seed: NATSSecret)
    /// The file of a user's credentials, as made by NATS's own tools.
    case credentials(file: String)
}

/// How a connection is encrypted, and which server it trusts.
///
/// ```swift
/// var encryption = NATSEncryption()
/// encryption.authorities = .file("/etc/orders/authority.pem")
/// ```
public struct NATSEncryption: Sendable {
    /// A certificate by which the server knows this client.
    public struct Certificate: Sendable {
        /// The certificate and the chain up to its authority, in PEM.
        public var chain: NATSSecret
        /// The private key, in PEM.
        public var key: NATSSecret

        /// Creates a certificate.
        public init(chain: NATSSecret, key: NATSSecret) {
            self.chain = chain
            self.key = key
        }
    }

    /// The certificates of the trusted authorities, in PEM; nil: those of the system.
    public var authorities: NATSSecret?
    /// The certificate of this client; nil if the server asks for none.
    public var certificate: Certificate?
    /// The name in the server's certificate; nil: the host of the address.
    public var serverName: String?

    /// Creates an encryption that trusts the authorities of the system.
    public init() {}
}

/// The secrets of one attempt to connect.
enum ResolvedIdentity: Sendable {
    case token(String)
    case user(String, password: String)
    case key(String, seed: String)
    case credentialsFile(String)

    var seed: String? {
        if case .key(_, let seed) = self { seed } else { nil }
    }

    init(_ identity: NATSIdentity) async throws {
        self =
            switch identity {
            case .token(let token): .token(try await token.resolve())
            case .user(let name, let password):
                .user(name, password: try await password.resolve())
            case .key(let publicKey, let seed): .key(publicKey, seed: try await seed.resolve())
            case .credentials(let file): .credentialsFile(file)
            }
    }
}

/// The encryption of one attempt to connect.
struct ResolvedTLS: Sendable {
    var authorities: String?
    var certificate: (chain: String, key: String)?
    var serverName: String?

    init(_ encryption: NATSEncryption) async throws {
        serverName = encryption.serverName
        authorities = try await encryption.authorities?.resolve()
        if let own = encryption.certificate {
            certificate = (try await own.chain.resolve(), try await own.key.resolve())
        }
    }
}
#endif
