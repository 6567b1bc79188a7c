// SPDX-License-Identifier: Apache-2.0

/// Decides at connect time which addresses may be connected to.
struct ConnectionGuard: Sendable {
    let policy: HTTPAddressPolicy
    private let refusedPorts: Set<Int>
    private let ownAddresses: @Sendable () -> Set<NetworkAddress>

    /// Creates a guard.
    ///
    /// - Parameters:
    ///   - configuration: The address policy and the refused origins.
    ///   - ownAddresses: Returns this machine's addresses. Called only for a refused port.
    init(
        _ configuration: HTTPClient.Configuration,
        ownAddresses: @escaping @Sendable () -> Set<NetworkAddress> = NetworkAddress.ownAddresses
    ) {
        policy = configuration.addressPolicy
        refusedPorts = Set(configuration.refusedOrigins.map(\.port))
        self.ownAddresses = ownAddresses
    }

    /// Returns the reason to refuse a connection, or nil if the connection is allowed.
    ///
    /// The program's own ports are refused at every address of this machine, for any host name.
    ///
    /// - Parameters:
    ///   - address: The address of the connection.
    ///   - port: The port of the connection.
    ///   - isProxy: Whether the connection leads to a proxy, which may be private because the user
    ///     has named the proxy.
    /// - Returns: The reason, or nil if the connection is allowed.
    func refusal(
        of address: NetworkAddress,
        port: Int,
        isProxy: Bool = false
    ) -> HTTPError.Code? {
        if refusedPorts.contains(port), isOwn(address) { return .ownAddress }
        return policy == .any || isProxy || address.isPublic ? nil : .privateAddress
    }

    /// Returns the reason to refuse a request through a proxy, or nil if the request is allowed.
    ///
    /// The proxy looks up the name, so only numeric addresses and local names can be checked.
    func refusalThroughProxy(of address: WebAddress) -> HTTPError.Code? {
        policy == .publicOnly && address.isLocal ? .privateAddress : nil
    }

    private func isOwn(_ address: NetworkAddress) -> Bool {
        address.isLoopbackOrUnspecified || ownAddresses().contains(address.unmapped)
    }
}
