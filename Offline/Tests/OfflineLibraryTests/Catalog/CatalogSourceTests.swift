// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import Tidings
import TidingsFiles
import TidingsTestFixtures
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct CatalogSourceTests {
    @Test func withoutAnAddressNothingIsRequested() async throws {
        let test = try await CatalogFixture.library()
        await test.start()
        #expect(test.catalog.address == nil)
        #expect(test.catalog.publisher.state.phase == .unknown)
        #expect(throws: CatalogError.self) { try test.catalog.refresh() }
        #expect(throws: CatalogError.self) { try test.catalog.lesson("1") }
        await test.library.stop()
        #expect(try await test.requests().isEmpty)
    }

    @Test func aChosenCatalogIsLoadedPostedAndStored() async throws {
        let test = try await CatalogFixture.library()
        let loaded = MessageRecorder(CatalogLoaded.self, on: test.library.messages)
        try await test.choose()
        #expect(test.catalog.publisher.lastData?.title == "French")
        #expect(try test.catalog.lesson("2").title == "Au revoir")
        #expect(throws: CatalogError.self) { try test.catalog.lesson("9") }
        _ = try await loaded.next()
        #expect(loaded.messages == [CatalogLoaded(lessonCount: 3)])
        await test.library.stop()
        #expect(SystemFile.exists(test.library.directory.catalog))
    }

    @Test func afterAFailureTheStoredCopyRemainsWithTheError() async throws {
        let test = try await CatalogFixture.library()
        try await test.choose()
        await test.library.stop()
        let later = try await CatalogFixture.library(
            in: test.folder,
            origin: test.origin,
            ["status": 500, "text": "no"]
        )
        let failed = MessageRecorder(CatalogFailed.self, on: later.library.messages)
        await later.start()
        let state = await later.catalog.settled()
        #expect(state.failureCode == "status")
        #expect(later.catalog.publisher.lastData?.title == "French")
        #expect(later.catalog.publisher.isStale)
        #expect(try await failed.next().message.contains("500"))
        #expect(try later.catalog.lesson("1").title == "Bonjour")
        await later.library.stop()
    }

    @Test func aTransientFailureIsRetried() async throws {
        let test = try await CatalogFixture.library(
            [["status": 503, "text": ""], ["text": .text(CatalogFixture.lessons)]]
        )
        #expect(try await test.choose().value?.title == "French")
        await test.library.stop()
    }

    @Test func aStoredCopyOfAnotherAddressIsIgnored() async throws {
        let test = try await CatalogFixture.library()
        try await test.choose()
        await test.library.stop()
        let other = CatalogAddress(
            try test.origin.address("/elsewhere"),
            allowsPrivateAddresses: true
        )
        // A crash between the two steps of a change leaves this state.
        try test.library.journal.preferences.setPreference(
            CatalogPreference(other),
            for: CatalogPreference.key
        )
        let later = try await CatalogFixture.library(in: test.folder, origin: test.origin, nil)
        #expect(later.catalog.address == other)
        await later.start()
        #expect(await later.catalog.settled().failureCode == "status")
        #expect(later.catalog.publisher.lastData == nil)
        await later.library.stop()
    }

    @Test func aNewAddressDiscardsTheOldCatalogAndIsStored() async throws {
        let test = try await CatalogFixture.library()
        try await test.choose()
        try await test.origin.serve(["/german": ["gate": "german", "text": "{}"]])
        let german = CatalogAddress(
            try test.origin.address("/german"),
            allowsPrivateAddresses: true
        )
        try test.catalog.setAddress(german)
        #expect(test.catalog.publisher.state.phase == .loading)
        #expect(test.catalog.publisher.lastData == nil)
        try await test.origin.openGate("german")
        #expect(await test.catalog.settled().failureCode == "notACatalog")
        await test.library.stop()
        #expect(!SystemFile.exists(test.library.directory.catalog))
        let later = try await CatalogFixture.library(in: test.folder, origin: test.origin, nil)
        #expect(later.catalog.address == german)
        await later.library.stop()
    }

    @Test func removingTheAddressRemovesTheCatalogAndItsCopy() async throws {
        let test = try await CatalogFixture.library()
        try await test.choose()
        try test.catalog.setAddress(nil)
        #expect(test.catalog.publisher.state.phase == .unknown)
        #expect(test.catalog.publisher.lastData == nil)
        await test.library.stop()
        #expect(!SystemFile.exists(test.library.directory.catalog))
        let later = try await CatalogFixture.library(in: test.folder, origin: test.origin, nil)
        #expect(later.catalog.address == nil)
        await later.library.stop()
    }

    @Test func settingTheSameAddressOnlyReloads() async throws {
        let test = try await CatalogFixture.library()
        try await test.choose()
        try await test.origin.serve(["/french/all.json": ["gate": "again", "text": "{}"]])
        try test.catalog.setAddress(test.catalog.address)
        #expect(test.catalog.publisher.state.value?.title == "French")
        await test.library.stop()
    }

    @Test func addressesAreRelativeToTheTargetOfARedirect() async throws {
        let test = try await CatalogFixture.library()
        try await test.origin.serve(["/short": ["redirect": "/french/all.json"]])
        let catalog = try await test.choose("/short").value
        let audio = try test.origin.address("/french/1.bin")
        #expect(catalog?.lesson("1")?.audio == audio)
        #expect(catalog?.address == (try test.origin.address("/short")))
        await test.library.stop()
    }

    @Test func aPrivateAddressRequiresPermission() async throws {
        let test = try await CatalogFixture.library { $0.allowsPrivateAddresses = false }
        await test.start()
        let address = try test.origin.address("/french/all.json")
        try test.catalog.setAddress(CatalogAddress(address))
        #expect(await test.catalog.settled().failureCode == "privateAddress")
        try test.catalog.setAddress(CatalogAddress(address, allowsPrivateAddresses: true))
        #expect(await test.catalog.settled().value?.title == "French")
        await test.library.stop()
    }

    @Test func theReturnOfTheNetworkReloadsAFailedCatalog() async throws {
        let network = ManualConnectivity(.offline)
        let test = try await CatalogFixture.library([
            ["status": 404, "text": ""], ["text": .text(CatalogFixture.lessons)],
        ]) { $0.connectivity = network }
        #expect(try await test.choose().failureCode == "status")
        network.become(.online)
        for await state in test.catalog.publisher.states.values {
            if case .loaded = state { break }
        }
        // A fresh catalog is not loaded again.
        network.become(.offline)
        network.become(.online)
        for await state in test.library.connectivity.state.states.values where !state.isOffline {
            break
        }
        await test.library.stop()
        #expect(try await test.requests()["/french/all.json"] == 2)
    }

    @Test func aLibraryStartedForOneItemLoadsNoCatalog() async throws {
        let test = try await CatalogFixture.library()
        try await test.choose()
        await test.library.stop()
        let later = try await CatalogFixture.library(in: test.folder, origin: test.origin, nil)
        await later.library.start(only: [ItemID(rawValue: 7)])
        #expect(later.catalog.publisher.state.phase == .unknown)
        await later.library.stop()
    }

    @Test func anEndlessDocumentIsRejectedAtTheLimit() async throws {
        let test = try await CatalogFixture.library(["endless": true])
        #expect(try await test.choose().failureCode == "tooLarge")
        await test.library.stop()
    }
}
