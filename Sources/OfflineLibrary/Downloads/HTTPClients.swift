// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// Where the running server can be reached by the library itself, for the sample stream.
package struct OwnServer: Sendable {
    package let sample: WebAddress
    package let token: String

    package init(sample: WebAddress, token: String) {
        self.sample = sample
        self.token = token
    }
}

/// The clients that downloads use, one for each rule on addresses, so that no connection is shared
/// between rules.
final class HTTPClients: Sendable {
    private let publicOnly: HTTPClient
    private let anyAddress: HTTPClient
    private let own: HTTPClient?
    private let ownServer: OwnServer?

    init(userAgent: String, ownServer: OwnServer?) {
        let refused: Set<WebAddress.Origin> = ownServer.map { [$0.sample.origin] } ?? []
        publicOnly = HTTPClient(
            .init(addressPolicy: .publicOnly, userAgent: userAgent, refusedOrigins: refused)
        )
        anyAddress = HTTPClient(
            .init(addressPolicy: .any, userAgent: userAgent, refusedOrigins: refused)
        )
        own = ownServer.map { _ in HTTPClient(.init(addressPolicy: .any, userAgent: userAgent)) }
        self.ownServer = ownServer
    }

    /// How an item is fetched.
    ///
    /// - Throws: `DownloadError.refused` for the sample stream while no server runs.
    func route(for item: MediaItem) throws(DownloadError) -> Route {
        switch item.source {
        case .address(let address):
            let client = client(allowingPrivate: item.allowsPrivateAddresses)
            return Route(client: client, address: address, headers: [])
        case .sample:
            guard let own, let ownServer else {
                throw DownloadError(
                    .refused,
                    "The sample stream is fetched from the running server; start offline serve."
                )
            }
            let header = HTTPHeader("Authorization", "Bearer \(ownServer.token)")
            return Route(client: own, address: ownServer.sample, headers: [header])
        case .unreadable:
            throw DownloadError(
                .refused,
                "The address that is stored cannot be read by this version. Remove the item and "
                    + "give its address anew."
            )
        case .imported(let name):
            throw DownloadError(
                .refused,
                "\(name) was imported from the disk; there is no address to fetch it from."
            )
        }
    }

    /// The client for an address that the person gave.
    func client(allowingPrivate isAllowed: Bool) -> HTTPClient {
        isAllowed ? anyAddress : publicOnly
    }

    func close() {
        publicOnly.close()
        anyAddress.close()
        own?.close()
    }

    /// The client, the address and the headers for one item's requests.
    struct Route: Sendable {
        let client: HTTPClient
        let address: WebAddress
        let headers: [HTTPHeader]

        func request(_ address: WebAddress) -> HTTPRequest {
            // The headers hold the sample's token: they go to its own origin only.
            HTTPRequest(address, headers: address.origin == self.address.origin ? headers : [])
        }
    }
}
