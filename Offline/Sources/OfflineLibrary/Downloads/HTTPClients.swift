// SPDX-License-Identifier: Apache-2.0
import Foundation
package import TidingsHTTP

/// The server of this process, from which the library downloads the sample stream.
package struct OwnServer: Sendable {
    /// The address of the sample stream.
    package let sample: WebAddress
    /// The access token of the server.
    package let token: String

    /// Describes the server of this process.
    package init(sample: WebAddress, token: String) {
        self.sample = sample
        self.token = token
    }
}

/// The HTTP clients of the downloads.
///
/// Each address policy has its own client, so that no connection is shared between policies.
final class HTTPClients: Sendable {
    private let publicOnly: HTTPClient
    private let anyAddress: HTTPClient
    private let ownServerClient: HTTPClient?
    private let ownServer: OwnServer?
    /// The limit of all downloads together.
    let limit = TransferLimit()
    /// The limits of single items.
    let itemLimits = ItemLimits()

    init(userAgent: String, ownServer: OwnServer?) {
        let refused: Set<WebAddress.Origin> = ownServer.map { [$0.sample.origin] } ?? []
        publicOnly = HTTPClient(
            .init(addressPolicy: .publicOnly, userAgent: userAgent, refusedOrigins: refused)
        )
        anyAddress = HTTPClient(
            .init(addressPolicy: .any, userAgent: userAgent, refusedOrigins: refused)
        )
        ownServerClient = ownServer.map { _ in
            HTTPClient(.init(addressPolicy: .any, userAgent: userAgent))
        }
        self.ownServer = ownServer
    }

    /// Returns the endpoint of an origin, whose requests also keep the limit of their item.
    ///
    /// - Throws: `DownloadError` with `.refused` for an imported or unreadable origin, and for the
    ///   sample stream without a server in this process.
    func endpoint(
        for origin: ItemOrigin,
        allowingPrivate isAllowed: Bool,
        with options: RequestOptions = RequestOptions(),
        limit itemLimit: TransferLimit? = nil
    ) throws(DownloadError) -> Endpoint {
        let limits = [limit, itemLimit].compactMap(\.self)
        switch origin {
        case .address(let address):
            return Endpoint(
                client: client(allowingPrivate: isAllowed),
                address: address,
                headers: [],
                access: RequestAccess(options: options, address: address),
                allowsPrivateAddresses: isAllowed,
                limits: limits
            )
        case .sample:
            guard let ownServerClient, let ownServer else {
                throw DownloadError(
                    .refused,
                    "The sample stream requires the running server. Start `offline serve`."
                )
            }
            let header = HTTPHeader("Authorization", "Bearer \(ownServer.token)")
            return Endpoint(
                client: ownServerClient,
                address: ownServer.sample,
                headers: [header],
                limits: limits
            )
        case .unreadable:
            throw DownloadError(
                .refused,
                "This version cannot read the stored address. Remove the item and add its address "
                    + "again."
            )
        case .imported(let name):
            throw DownloadError(
                .refused,
                "\(name) was imported from the disk and has no address to download from."
            )
        }
    }

    /// Returns the client for an address that the user has entered.
    func client(allowingPrivate isAllowed: Bool) -> HTTPClient {
        isAllowed ? anyAddress : publicOnly
    }

    func close() {
        publicOnly.close()
        anyAddress.close()
        ownServerClient?.close()
    }

    /// The client, the address and the headers of an item's requests.
    struct Endpoint: Sendable {
        let client: HTTPClient
        let address: WebAddress
        /// Headers for the origin of the address.
        let headers: [HTTPHeader]
        /// The person's options; nil for the sample stream.
        var access: RequestAccess?
        /// Whether the person permits private addresses.
        var allowsPrivateAddresses = false
        /// The page that names the address; nil if the user named it.
        var page: WebAddress?
        /// Whether the requests are those of a recording, which cannot wait.
        var isLive = false
        /// The limits of the speed, which do not apply to recordings.
        var limits: [TransferLimit] = []

        /// Whether the speed is limited at present.
        var isLimited: Bool { !isLive && limits.contains(where: \.isActive) }

        func request(_ address: WebAddress) -> HTTPRequest {
            // The headers hold the server's token, which must not reach another origin.
            let headers = address.origin == self.address.origin ? headers : []
            var request = HTTPRequest(address, headers: headers)
            request.limits = isLive ? [] : limits
            if let access {
                request.proxy = access.options.proxy
                request.headersForTarget = { [page] target in
                    access.headers(for: target, from: page, at: Date())
                }
            }
            return request
        }

        /// Returns the endpoint of media that a page names.
        func referred(by page: WebAddress, to address: WebAddress) -> Endpoint {
            Endpoint(
                client: client,
                address: address,
                headers: address.origin == self.address.origin ? headers : [],
                access: access,
                allowsPrivateAddresses: allowsPrivateAddresses,
                page: page,
                isLive: isLive,
                limits: limits
            )
        }
    }
}
