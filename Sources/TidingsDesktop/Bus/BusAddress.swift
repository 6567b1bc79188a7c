// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import Glibc

/// The address of the session's message bus.
enum BusAddress {
    /// Finds the address in the environment of a process.
    ///
    /// - Parameters:
    ///   - environment: Returns the value of an environment variable.
    ///   - exists: Returns whether a file exists at a path.
    /// - Returns: The address in the notation of the D-Bus specification, or nil without a session.
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

    /// Percent-encodes the bytes that a D-Bus address may not contain.
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
#endif
