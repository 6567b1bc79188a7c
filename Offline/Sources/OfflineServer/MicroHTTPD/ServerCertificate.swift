// SPDX-License-Identifier: Apache-2.0

/// A certificate for encrypted connections, as PEM texts.
package struct ServerCertificate: Sendable {
    /// The certificate, followed by those of its issuers.
    package let chain: String
    /// Its private key, without a password.
    package let key: String

    /// Creates a certificate from the contents of its files.
    package init(chain: String, key: String) {
        (self.chain, self.key) = (chain, key)
    }
}
