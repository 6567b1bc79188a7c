// SPDX-License-Identifier: Apache-2.0
package import OfflineStore
package import TidingsHTTP

/// The address of a catalog, chosen by the user.
package struct CatalogAddress: Hashable, Sendable {
    /// The address of the document, before redirects.
    package var address: WebAddress
    /// Whether the catalog and its lessons may be loaded from private addresses.
    package var allowsPrivateAddresses: Bool

    /// Creates an address.
    ///
    /// By default, private addresses are refused.
    package init(_ address: WebAddress, allowsPrivateAddresses: Bool = false) {
        self.address = address
        self.allowsPrivateAddresses = allowsPrivateAddresses
    }
}

/// The chosen catalog as stored in the registry.
package struct CatalogPreference: RawRepresentable, Hashable, Sendable {
    private static let (privatePrefix, publicPrefix) = ("private ", "public ")
    /// The address, or nil if no catalog is chosen.
    package let address: CatalogAddress?

    /// Creates the preference for an address, or for no catalog.
    package init(_ address: CatalogAddress?) {
        self.address = address
    }

    /// Parses a stored value, or returns nil for an invalid value.
    ///
    /// The value is empty for no catalog. Otherwise the value is `private ` or `public ` and the
    /// address.
    package init?(rawValue: String) {
        guard !rawValue.isEmpty else {
            address = nil
            return
        }
        for prefix in [Self.privatePrefix, Self.publicPrefix] where rawValue.hasPrefix(prefix) {
            guard let found = try? WebAddress(String(rawValue.dropFirst(prefix.count))) else {
                return nil
            }
            address = CatalogAddress(found, allowsPrivateAddresses: prefix == Self.privatePrefix)
            return
        }
        return nil
    }

    /// The value to store.
    package var rawValue: String {
        guard let address else { return "" }
        let prefix = address.allowsPrivateAddresses ? Self.privatePrefix : Self.publicPrefix
        return prefix + address.address.text
    }

    /// The key in the registry.
    ///
    /// By default, no catalog is chosen.
    package static let key = PreferenceKey<CatalogPreference>(
        "catalogueAddress",
        default: CatalogPreference(nil)
    )
}
