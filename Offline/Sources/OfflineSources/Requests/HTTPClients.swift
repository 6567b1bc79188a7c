// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel
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
package final class HTTPClients: Sendable {
    private let publicOnly: HTTPClient
    private let anyAddress: HTTPClient
    private let ownServerClient: HTTPClient?
    private let ownServer: OwnServer?
    /// The limit of all downloads together.
    package let limit = TransferLimit()
    /// The limits of individual items.
    package let itemLimits = ItemLimits()

    /// Creates the clients.
    package init(userAgent: String, patience: RequestPatience = .init(), ownServer: OwnServer?) {
        let refused: Set<WebAddress.Origin> = ownServer.map { [$0.sample.origin] } ?? []
        func client(
            _ policy: HTTPAddressPolicy,
            refusing origins: Set<WebAddress.Origin>
        ) -> HTTPClient {
            HTTPClient(
                .init(
                    addressPolicy: policy,
                    userAgent: userAgent,
                    connectTimeout: patience.connect,
                    stallTimeout: patience.stall,
                    refusedOrigins: origins
                )
            )
        }
        publicOnly = client(.publicOnly, refusing: refused)
        anyAddress = client(.any, refusing: refused)
        ownServerClient = ownServer.map { _ in client(.any, refusing: []) }
        self.ownServer = ownServer
    }

    /// Returns the endpoint of an origin.
    ///
    /// The requests of the endpoint also keep the limit of the item.
    ///
    /// - Throws: `DownloadError` with `.refused` for an imported or unreadable origin, and for the
    ///   sample stream without a server in this process.
    package func endpoint(
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
    package func client(allowingPrivate isAllowed: Bool) -> HTTPClient {
        isAllowed ? anyAddress : publicOnly
    }

    /// Ends all requests.
    package func close() {
        publicOnly.close()
        anyAddress.close()
        ownServerClient?.close()
    }

    /// The client, the address and the headers of an item's requests.
    package struct Endpoint: Sendable {
        /// The client of the requests.
        package let client: HTTPClient
        /// The address of the item, or of the media on the page.
        package let address: WebAddress
        /// Headers for the origin of the address.
        let headers: [HTTPHeader]
        /// The user's options, or nil for the sample stream.
        package var access: RequestAccess?
        /// Whether the user permits private addresses.
        var allowsPrivateAddresses = false
        /// The page that names the address, or nil if the user entered the address.
        var page: WebAddress?
        /// Whether the requests belong to a recording, which cannot wait.
        package var isLive = false
        /// The speed limits, which do not apply to recordings.
        var limits: [TransferLimit] = []

        /// Creates an endpoint.
        package init(
            client: HTTPClient,
            address: WebAddress,
            headers: [HTTPHeader],
            access: RequestAccess? = nil,
            allowsPrivateAddresses: Bool = false,
            page: WebAddress? = nil,
            isLive: Bool = false,
            limits: [TransferLimit] = []
        ) {
            self.client = client
            self.address = address
            self.headers = headers
            self.access = access
            self.allowsPrivateAddresses = allowsPrivateAddresses
            self.page = page
            self.isLive = isLive
            self.limits = limits
        }

        /// Whether the speed is limited at present.
        package var isLimited: Bool { !isLive && limits.contains(where: \.isActive) }

        /// Returns the request for an address of the item.
        package func request(_ address: WebAddress) -> HTTPRequest {
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
        package func referred(by page: WebAddress, to address: WebAddress) -> Endpoint {
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
