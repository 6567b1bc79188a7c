// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Where the bus of the person's session listens.
enum BusAddress {
    /// Finds it in the environment of a process; nil when there is no session.
    ///
    /// - Parameters:
    ///   - environment: The value of a variable.
    ///   - exists: Whether there is a file with this path.
    /// - Returns: The address, as the specification of D-Bus writes it.
    static func session(
        environment: (String) -> String?,
        exists: (String) -> Bool = { access($0, F_OK) == 0 }
    ) -> String? {
        if let address = environment("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty {
            return address
        }
        guard let folder = environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return nil }
        let path = folder + "/bus"
        return exists(path) ? "unix:path=" + escaped(path) : nil
    }

    /// An address may carry only some bytes as they are.
    static func escaped(_ path: String) -> String {
        var text = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"), UInt8(ascii: "."),
                UInt8(ascii: "\\"), UInt8(ascii: "*"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16)
                text += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return text
    }
}
