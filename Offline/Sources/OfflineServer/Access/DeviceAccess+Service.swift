// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineLibrary

extension DeviceAccess: DeviceService {
    var list: DeviceList {
        DeviceList(
            isOpen: true,
            address: address,
            devices: devices,
            arrivals: arrivals.map { .init(id: $0.id, name: $0.name, code: $0.code) }
        )
    }

    func invitation() -> Invitation? {
        invite().map { Invitation(address: $0, rows: QRCode($0)?.rows ?? []) }
    }

    func decide(_ id: Int, letIn: Bool) throws {
        if letIn {
            _ = try self.letIn(id)
        } else {
            try refuse(id)
        }
    }
}
