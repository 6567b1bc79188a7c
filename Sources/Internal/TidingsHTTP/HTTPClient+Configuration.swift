// SPDX-License-Identifier: Apache-2.0

/// The addresses that a client may connect to.
package enum HTTPAddressPolicy: Hashable, Sendable {
    /// Only public addresses, checked on each redirect when the connection is made.
    case publicOnly
    /// All addresses.
    case any
}

extension HTTPClient {
    /// The limits and timeouts of a client.
    package struct Configuration: Sendable {
        /// The addresses that the client may connect to.
        package var addressPolicy: HTTPAddressPolicy
        /// The value of the User-Agent header.
        package var userAgent: String
        /// The maximum time from the name lookup to the end of the TLS handshake.
        package var connectTimeout: Duration
        /// The maximum time with less than one byte per second, in whole seconds.
        ///
        /// libcurl averages the speed over five seconds, so a stall is detected five seconds later.
        package var stallTimeout: Duration
        /// The maximum number of redirects of one request.
        package var maximumRedirects: Int
        /// The maximum size of all header fields of one response together.
        package var maximumHeaderBytes: Int
        /// A file with the only trusted certificates, for tests.
        ///
        /// Nil selects the system's certificates.
        package var certificates: String?
        /// The program's own servers, which are refused under every host name.
        package var refusedOrigins: Set<WebAddress.Origin>

        /// Creates a configuration.
        ///
        /// The defaults fit public servers.
        package init(
            addressPolicy: HTTPAddressPolicy = .publicOnly,
            userAgent: String = "Tidings",
            connectTimeout: Duration = .seconds(20),
            stallTimeout: Duration = .seconds(30),
            maximumRedirects: Int = 20,
            maximumHeaderBytes: Int = 64 * 1024,
            certificates: String? = nil,
            refusedOrigins: Set<WebAddress.Origin> = []
        ) {
            self.addressPolicy = addressPolicy
            self.userAgent = userAgent
            self.connectTimeout = connectTimeout
            self.stallTimeout = stallTimeout
            self.maximumRedirects = maximumRedirects
            self.maximumHeaderBytes = maximumHeaderBytes
            self.certificates = certificates
            self.refusedOrigins = refusedOrigins
        }
    }
}
