// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// The address of a catalog, chosen by the user.
package struct CatalogAddress: Hashable, Sendable {
    /// The address of the document, before redirects.
    package var address: WebAddress
    /// Whether the catalog and its lessons may be loaded from private addresses.
    package var allowsPrivateAddresses: Bool

    /// Creates an address; private addresses are refused by default.
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

    /// Parses a stored value; nil if it is invalid.
    ///
    /// The value is empty for no catalog, otherwise the address after `private ` or `public `.
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

    /// The key in the registry; by default no catalog is chosen.
    package static let key = PreferenceKey<CatalogPreference>(
        "catalogueAddress",
        default: CatalogPreference(nil)
    )
}
