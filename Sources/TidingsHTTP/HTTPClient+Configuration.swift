// SPDX-License-Identifier: Apache-2.0

/// Which machines a client connects to.
package enum HTTPAddressPolicy: Hashable, Sendable {
    /// Only those of the public internet, checked on each hop when the connection is made.
    case publicOnly
    /// All of them.
    case any
}

extension HTTPClient {
    /// What a client may do and how long it waits.
    package struct Configuration: Sendable {
        package var addressPolicy: HTTPAddressPolicy
        package var userAgent: String
        /// The longest time from the look-up of the name to the end of the TLS handshake.
        package var connectTimeout: Duration
        /// How long less than one byte a second may arrive, in whole seconds.
        ///
        /// What came before is remembered for five seconds, so a stall ends that much later.
        package var stallTimeout: Duration
        package var maximumRedirects: Int
        /// The size of all header fields of one answer together.
        package var maximumHeaderBytes: Int
        /// Never connected to, under whatever name: the program's own server.
        package var refusedOrigins: Set<WebAddress.Origin>

        package init(
            addressPolicy: HTTPAddressPolicy = .publicOnly,
            userAgent: String = "Tidings",
            connectTimeout: Duration = .seconds(20),
            stallTimeout: Duration = .seconds(30),
            maximumRedirects: Int = 10,
            maximumHeaderBytes: Int = 64 * 1024,
            refusedOrigins: Set<WebAddress.Origin> = []
        ) {
            self.addressPolicy = addressPolicy
            self.userAgent = userAgent
            self.connectTimeout = connectTimeout
            self.stallTimeout = stallTimeout
            self.maximumRedirects = maximumRedirects
            self.maximumHeaderBytes = maximumHeaderBytes
            self.refusedOrigins = refusedOrigins
        }
    }
}
