// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import Testing

@testable import OfflineHousehold

@Suite struct MachineListTests {
    private var list = MachineList()

    private func report(_ name: String, isLeaving: Bool = false) -> MachinePresence {
        MachinePresence(
            machine: LineOfText(name),
            page: nil,
            freeBytes: 1_000,
            readyCount: 2,
            waitingCount: 1,
            isLeaving: isLeaving
        )
    }

    private mutating func expect(
        isNew: Bool,
        _ presence: MachinePresence,
        of origin: String,
        at time: Duration
    ) {
        let found = list.note(presence, of: origin, at: time)
        #expect(found == isNew)
    }

    @Test mutating func aMachineIsNewOnceAndListedByName() {
        expect(isNew: true, report("kitchen"), of: "1", at: .seconds(0))
        expect(isNew: true, report("attic"), of: "2", at: .seconds(1))
        expect(isNew: false, report("kitchen"), of: "1", at: .seconds(2))
        #expect(list.machines.map(\.name) == ["attic", "kitchen"])
    }

    @Test mutating func aMachineIsGoneAfterThreeMissedReports() {
        _ = list.note(report("attic"), of: "1", at: .zero)
        let last = MachineList.lifetime - .milliseconds(1)
        var isRemoved = list.removeOld(at: last)
        #expect(!isRemoved && list.machines.count == 1)
        #expect(MachineList.lifetime > MachineList.interval * 3)
        isRemoved = list.removeOld(at: MachineList.lifetime)
        #expect(isRemoved && list.machines.isEmpty)
        expect(isNew: true, report("attic"), of: "1", at: .seconds(90))
    }

    @Test mutating func aMachineThatLeavesIsGoneAtOnce() {
        _ = list.note(report("attic"), of: "1", at: .zero)
        expect(isNew: false, report("attic", isLeaving: true), of: "1", at: .seconds(1))
        #expect(list.machines.isEmpty)
    }

    @Test mutating func inventedMachinesDoNotGrowTheListOrDisplaceOthers() {
        _ = list.note(report("attic"), of: "real", at: .zero)
        for number in 0..<1_000 {
            _ = list.note(report("x"), of: "\(number)", at: .seconds(1))
        }
        #expect(list.machines.count == MachineList.capacity)
        #expect(list.machines.contains { $0.name == "attic" })
    }
}
