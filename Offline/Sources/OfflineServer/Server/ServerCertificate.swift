// SPDX-License-Identifier: Apache-2.0

/// A certificate for encrypted connections, as PEM strings.
package struct ServerCertificate: Sendable {
    /// The certificate, followed by the certificates of the issuers.
    package let chain: String
    /// The private key, without a password.
    package let key: String

    /// Creates a certificate from the contents of the two files.
    package init(chain: String, key: String) {
        (self.chain, self.key) = (chain, key)
    }
}
