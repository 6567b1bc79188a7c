// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct CatalogueSourceTests {
    @Test func withoutAnAddressThereIsNothingAndNothingIsAsked() async throws {
        let test = try await CatalogueFixture.library()
        await test.start()
        #expect(test.catalogue.address == nil)
        #expect(test.catalogue.publisher.phase == .unknown)
        #expect(throws: CatalogueError.self) { try test.catalogue.refresh() }
        #expect(throws: CatalogueError.self) { try test.catalogue.lesson("1") }
        await test.library.stop()
        #expect(try await test.requests().isEmpty)
    }

    @Test func aChosenCatalogueIsLoadedToldAndStored() async throws {
        let test = try await CatalogueFixture.library()
        let loaded = MessageRecorder(CatalogLoaded.self, on: test.library.messages)
        try await test.choose()
        #expect(test.catalogue.publisher.lastData?.title == "French")
        #expect(try test.catalogue.lesson("2").title == "Au revoir")
        #expect(throws: CatalogueError.self) { try test.catalogue.lesson("9") }
        _ = try await loaded.next()
        #expect(loaded.messages == [CatalogLoaded(lessonCount: 3)])
        await test.library.stop()
        #expect(Disk.exists(test.library.directory.catalogue))
    }

    @Test func afterAFailureTheStoredCopyIsShownWithTheError() async throws {
        let test = try await CatalogueFixture.library()
        try await test.choose()
        await test.library.stop()
        let later = try await CatalogueFixture.library(
            in: test.folder,
            origin: test.origin,
            ["status": 500, "text": "no"]
        )
        let failed = MessageRecorder(CatalogFailed.self, on: later.library.messages)
        await later.start()
        let state = await later.catalogue.settled()
        #expect(state.failureCode == "status")
        #expect(later.catalogue.publisher.lastData?.title == "French")
        #expect(later.catalogue.publisher.isStale)
        #expect(try await failed.next().message.contains("500"))
        #expect(try later.catalogue.lesson("1").title == "Bonjour")
        await later.library.stop()
    }

    @Test func whatFailsForAMomentIsTriedAgain() async throws {
        let test = try await CatalogueFixture.library(
            [["status": 503, "text": ""], ["text": .text(CatalogueFixture.lessons)]]
        )
        #expect(try await test.choose().data?.title == "French")
        await test.library.stop()
    }

    @Test func aStoredCopyOfAnotherAddressIsNotShown() async throws {
        let test = try await CatalogueFixture.library()
        try await test.choose()
        await test.library.stop()
        let other = CatalogueAddress(
            try test.origin.address("/elsewhere"),
            allowsPrivateAddresses: true
        )
        // As after a kill between the two steps of a change.
        try test.library.journal.registry.setPreference(
            CataloguePreference(other),
            for: CataloguePreference.key
        )
        let later = try await CatalogueFixture.library(in: test.folder, origin: test.origin, nil)
        #expect(later.catalogue.address == other)
        await later.start()
        #expect(await later.catalogue.settled().failureCode == "status")
        #expect(later.catalogue.publisher.lastData == nil)
        await later.library.stop()
    }

    @Test func anotherAddressForgetsWhatWasKnownAndIsRemembered() async throws {
        let test = try await CatalogueFixture.library()
        try await test.choose()
        try await test.origin.serve(["/german": ["gate": "german", "text": "{}"]])
        let german = CatalogueAddress(
            try test.origin.address("/german"),
            allowsPrivateAddresses: true
        )
        try test.catalogue.setAddress(german)
        #expect(test.catalogue.publisher.phase == .loading)
        #expect(test.catalogue.publisher.lastData == nil)
        try await test.origin.openGate("german")
        #expect(await test.catalogue.settled().failureCode == "notACatalogue")
        await test.library.stop()
        #expect(!Disk.exists(test.library.directory.catalogue))
        let later = try await CatalogueFixture.library(in: test.folder, origin: test.origin, nil)
        #expect(later.catalogue.address == german)
        await later.library.stop()
    }

    @Test func withoutItsAddressTheCatalogueAndItsCopyAreGone() async throws {
        let test = try await CatalogueFixture.library()
        try await test.choose()
        try test.catalogue.setAddress(nil)
        #expect(test.catalogue.publisher.phase == .unknown)
        #expect(test.catalogue.publisher.lastData == nil)
        await test.library.stop()
        #expect(!Disk.exists(test.library.directory.catalogue))
        let later = try await CatalogueFixture.library(in: test.folder, origin: test.origin, nil)
        #expect(later.catalogue.address == nil)
        await later.library.stop()
    }

    @Test func theSameAddressAgainIsOnlyLoadedAgain() async throws {
        let test = try await CatalogueFixture.library()
        try await test.choose()
        try await test.origin.serve(["/french/all.json": ["gate": "again", "text": "{}"]])
        try test.catalogue.setAddress(test.catalogue.address)
        #expect(test.catalogue.publisher.state.data?.title == "French")
        await test.library.stop()
    }

    @Test func afterARedirectAddressesMeanWhereItLed() async throws {
        let test = try await CatalogueFixture.library()
        try await test.origin.serve(["/short": ["redirect": "/french/all.json"]])
        let catalogue = try await test.choose("/short").data
        let audio = try test.origin.address("/french/1.bin")
        #expect(catalogue?.lesson("1")?.audio == audio)
        #expect(catalogue?.address == (try test.origin.address("/short")))
        await test.library.stop()
    }

    @Test func aPrivateAddressNeedsTheWordOfThePerson() async throws {
        let test = try await CatalogueFixture.library { $0.allowsPrivateAddresses = false }
        await test.start()
        let address = try test.origin.address("/french/all.json")
        try test.catalogue.setAddress(CatalogueAddress(address))
        #expect(await test.catalogue.settled().failureCode == "privateAddress")
        try test.catalogue.setAddress(CatalogueAddress(address, allowsPrivateAddresses: true))
        #expect(await test.catalogue.settled().data?.title == "French")
        await test.library.stop()
    }

    @Test func theNetworkThatIsBackLoadsWhatHadFailed() async throws {
        let network = ManualConnectivity(.offline)
        let test = try await CatalogueFixture.library([
            ["status": 404, "text": ""], ["text": .text(CatalogueFixture.lessons)],
        ]) { $0.connectivity = network }
        #expect(try await test.choose().failureCode == "status")
        network.become(.online)
        for await state in test.catalogue.publisher.states {
            if case .loaded = state { break }
        }
        // What is fresh is left alone.
        network.become(.offline)
        network.become(.online)
        for await state in test.library.connectivity.state.states where !state.isOffline { break }
        await test.library.stop()
        #expect(try await test.requests()["/french/all.json"] == 2)
    }

    @Test func aCommandThatFetchesOneItemLoadsNoCatalogue() async throws {
        let test = try await CatalogueFixture.library()
        try await test.choose()
        await test.library.stop()
        let later = try await CatalogueFixture.library(in: test.folder, origin: test.origin, nil)
        await later.library.start(only: ItemID(rawValue: 7))
        #expect(later.catalogue.publisher.phase == .unknown)
        await later.library.stop()
    }

    @Test func aDocumentBeyondTheLimitIsRefusedWithoutItsEnd() async throws {
        let test = try await CatalogueFixture.library(["endless": true])
        #expect(try await test.choose().failureCode == "tooLarge")
        await test.library.stop()
    }
}
